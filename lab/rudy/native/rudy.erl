%% A web server that answers each request after a while: one request at a time, or by a pool.
%%
%% usage: erl -noshell -run rudy start DELAY sequential
%%        erl -noshell -run rudy start DELAY pool SIZE
%%
%% DELAY is in milliseconds. Prints its port, and ends with its standard input.
-module(rudy).
-export([start/1, pool/3, manager/1, acceptor/2]).

start([Delay, Kind | Rest]) ->
    {ok, Listener} = gen_tcp:listen(0, [
        binary, {active, false}, {reuseaddr, true}, {nodelay, true}, {backlog, 1024},
        {packet, http_bin}
    ]),
    {ok, Port} = inet:port(Listener),
    io:format("~b~n", [Port]),
    Wait = list_to_integer(Delay),
    case {Kind, Rest} of
        {"sequential", []} -> spawn(fun() -> sequential(Listener, Wait) end);
        {"pool", [Size]} -> spawn(fun() -> concurrent(Listener, Wait, list_to_integer(Size)) end)
    end,
    eof = io:get_line(""),
    halt(0).

%% --- one at a time

sequential(Listener, Wait) ->
    {ok, Socket} = gen_tcp:accept(Listener),
    answer(Socket, Wait),
    sequential(Listener, Wait).

%% --- the pool: the manager keeps what the pool has rejected, in a queue

concurrent(Listener, Wait, Size) ->
    Manager = spawn_link(fun() ->
        Self = self(),
        manager(spawn_link(?MODULE, pool, [Self, Size, Wait]))
    end),
    acceptor(Listener, Manager).

acceptor(Listener, Manager) ->
    {ok, Socket} = gen_tcp:accept(Listener),
    ok = gen_tcp:controlling_process(Socket, Manager),
    Manager ! {request, Socket},
    acceptor(Listener, Manager).

manager(Pool) -> manager(Pool, queue:new()).

manager(Pool, Waiting) ->
    receive
        {request, Socket} ->
            Pool ! {handle, Socket},
            manager(Pool, Waiting);
        {rejected, Socket} ->
            manager(Pool, queue:in(Socket, Waiting));
        available ->
            case queue:out(Waiting) of
                {{value, Socket}, Left} ->
                    Pool ! {handle, Socket},
                    manager(Pool, Left);
                {empty, _} ->
                    manager(Pool, Waiting)
            end
    end.

pool(Manager, Free, Wait) ->
    receive
        {handle, Socket} when Free > 0 ->
            Pool = self(),
            spawn(fun() ->
                answer(Socket, Wait),
                Pool ! done
            end),
            pool(Manager, Free - 1, Wait);
        {handle, Socket} ->
            Manager ! {rejected, Socket},
            pool(Manager, Free, Wait);
        done ->
            Manager ! available,
            pool(Manager, Free + 1, Wait)
    end.

%% --- a request

answer(Socket, Wait) ->
    case request(Socket) of
        ok ->
            timer:sleep(Wait),
            Body = <<"<html><body>Hello</body></html>">>,
            gen_tcp:send(Socket, [
                <<"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n">>,
                <<"Content-Length: ">>, integer_to_binary(byte_size(Body)), <<"\r\n\r\n">>, Body
            ]);
        closed ->
            ok
    end,
    gen_tcp:close(Socket).

request(Socket) ->
    case gen_tcp:recv(Socket, 0, 5000) of
        {ok, http_eoh} -> ok;
        {ok, {http_error, _}} -> closed;
        {ok, _} -> request(Socket);
        {error, _} -> closed
    end.
