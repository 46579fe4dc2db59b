%% A minimal web server after the experiment's: gen_tcp, and a pool of processes that accept. Each serves
%% the requests of its connection, one after the other. Usage: rudy:start(Port, Pool, Milliseconds).
-module(rudy).
-export([start/3]).

start(Port, Pool, Delay) ->
    {ok, Listen} = gen_tcp:listen(Port, [binary, {packet, http_bin}, {active, false},
        {reuseaddr, true}, {nodelay, true}, {backlog, 4096}, {ip, {127, 0, 0, 1}}]),
    [spawn_link(fun() -> accept(Listen, Delay) end) || _ <- lists:seq(1, Pool)],
    io:format("serving~n"),
    receive stop -> ok end.

accept(Listen, Delay) ->
    {ok, Socket} = gen_tcp:accept(Listen),
    serve(Socket, Delay),
    accept(Listen, Delay).

serve(Socket, Delay) ->
    case gen_tcp:recv(Socket, 0) of
        {ok, {http_request, _, {abs_path, Path}, _}} ->
            headers(Socket),
            if Delay > 0 -> timer:sleep(Delay); true -> ok end,
            Name = lists:last(binary:split(Path, <<"/">>, [global])),
            Body = <<"hello ", Name/binary>>,
            Length = integer_to_binary(byte_size(Body)),
            gen_tcp:send(Socket, [<<"HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: ">>,
                Length, <<"\r\n\r\n">>, Body]),
            serve(Socket, Delay);
        _ ->
            gen_tcp:close(Socket)
    end.

headers(Socket) ->
    case gen_tcp:recv(Socket, 0) of
        {ok, http_eoh} -> ok;
        {ok, _} -> headers(Socket);
        _ -> ok
    end.
